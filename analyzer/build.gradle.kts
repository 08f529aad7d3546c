dependencies {
    api(project(":tracer"))
    api(libs.hdrhistogram)
}

dependencies {
    api(project(":cli"))
    api(libs.jox.channels)
    api(libs.jmh.core)
    api(libs.jmh.generator.annprocess)
    annotationProcessor(libs.jmh.generator.annprocess)
}

dependencies {
    api(project(":tracer"))
    testImplementation(project(":analyzer"))
    testImplementation(libs.jcstress.core)
    testAnnotationProcessor(libs.jcstress.core)
    testImplementation(libs.lincheck)
}

dependencies {
    api(project(":tracer"))
    testImplementation(project(":analyzer"))
    testImplementation(libs.jcstress.core)
    testAnnotationProcessor(libs.jcstress.core)
    testImplementation(libs.javalin)
    testImplementation(libs.hikaricp)
    testImplementation(libs.h2)
    testImplementation(libs.lincheck)
}

// Runtime locks are counted in tests, for invariant G5; see HeldLocks. What stress tests are told
// with -D reaches them.
tasks.test {
    systemProperty("gmptrace.check", "true")
    systemProperties(System.getProperties().filterKeys { "$it".startsWith("gmptrace.") }.mapKeys { "${it.key}" })
}

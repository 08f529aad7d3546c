dependencies {
    api(project(":tracer"))
    api(libs.hdrhistogram)
}

/** Bad files for a minute, in a heap that would not hold a mistake; the profile fuzz of pom.xml. */
tasks.register<Test>("fuzz") {
    val tests = the<SourceSetContainer>()["test"]
    testClassesDirs = tests.output.classesDirs
    classpath = tests.runtimeClasspath
    filter { includeTestsMatching("*FuzzTest") }
    maxHeapSize = "256m"
    for (name in listOf("gmptrace.seed", "gmptrace.fuzz.seconds")) {
        System.getProperty(name)?.let { systemProperty(name, it) }
    }
    systemProperties.putIfAbsent("gmptrace.fuzz.seconds", "60")
    testLogging.showStandardStreams = true
    outputs.upToDateWhen { false }
}

plugins {
    application
}

dependencies {
    api(project(":tracer"))
    api(project(":runtime"))
    api(project(":analyzer"))
    api(project(":viewer-web"))
    api(libs.picocli)
    api(libs.logback.classic)
    testImplementation(libs.archunit)
}

application {
    mainClass.set("dev.gmptrace.cli.Main")
    @Suppress("UNCHECKED_CAST")
    applicationDefaultJvmArgs = rootProject.extra["gmptraceJvmArgs"] as List<String>
}

// The version that the command prints; written with Maven's placeholder in the source.
tasks.processResources {
    val projectVersion = version.toString()
    filesMatching("**/version.properties") {
        filter { line -> line.replace("\${project.version}", projectVersion) }
    }
}

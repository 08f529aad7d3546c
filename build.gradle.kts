// The same build as pom.xml, for Gradle 8.11 or newer. Maven is what CI runs; BuildParityTest keeps
// the modules, dependencies and versions of the two alike.

import java.time.Duration

plugins {
    id("com.google.protobuf") version "0.9.6" apply false
}

val catalog = extensions.getByType<VersionCatalogsExtension>().named("libs")

/** What every JVM of ours is started with: tests, benchmarks and the launcher. */
val gmptraceJvmArgs = listOf(
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
)
extra["gmptraceJvmArgs"] = gmptraceJvmArgs

subprojects {
    group = "dev.gmptrace"
    version = "0.1.0"

    apply(plugin = "java-library")

    configure<JavaPluginExtension> {
        toolchain {
            languageVersion.set(JavaLanguageVersion.of(25))
        }
    }

    dependencies {
        "api"(catalog.findLibrary("jspecify").get())
        "testImplementation"(catalog.findLibrary("junit-jupiter").get())
        "testRuntimeOnly"("org.junit.platform:junit-platform-launcher")
        for (checker in listOf("errorprone-core", "nullaway")) {
            "annotationProcessor"(catalog.findLibrary(checker).get())
            "testAnnotationProcessor"(catalog.findLibrary(checker).get())
        }
    }

    tasks.withType<JavaCompile>().configureEach {
        options.encoding = "UTF-8"
        options.release.set(25)
        options.compilerArgs.addAll(
            listOf(
                "-parameters",
                "-Xlint:all,-processing,-serial,-classfile,-requires-automatic,-this-escape,-exports",
                "-Werror",
                "-XDcompilePolicy=simple",
                "--should-stop=ifError=FLOW",
                "-XDaddTypeAnnotationsToSymbol=true",
                "-Xplugin:ErrorProne -XepDisableWarningsInGeneratedCode" +
                    " -XepExcludedPaths:.*/build/generated/.*" +
                    " -Xep:NullAway:ERROR -XepOpt:NullAway:OnlyNullMarked=true -XepOpt:NullAway:JSpecifyMode=false" +
                    " -Xep:MissingSummary:OFF -Xep:StatementSwitchToExpressionSwitch:OFF" +
                    " -Xep:ThreadPriorityCheck:OFF -Xep:UnusedVariable:WARN",
            ),
        )
        options.isFork = true
        val exported = listOf("api", "code", "comp", "file", "main", "model", "parser", "processing", "tree", "util")
        options.forkOptions.jvmArgs!!.addAll(
            exported.map { "--add-exports=jdk.compiler/com.sun.tools.javac.$it=ALL-UNNAMED" } +
                listOf("code", "comp").map { "--add-opens=jdk.compiler/com.sun.tools.javac.$it=ALL-UNNAMED" } +
                "--sun-misc-unsafe-memory-access=allow",
        )
    }

    tasks.withType<Test>().configureEach {
        useJUnitPlatform()
        jvmArgs(gmptraceJvmArgs)
        timeout.set(Duration.ofSeconds(7200)) // they hang
    }
}

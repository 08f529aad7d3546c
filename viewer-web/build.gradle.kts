dependencies {
    api(project(":analyzer"))
    api(libs.javalin)
    api(libs.jackson.databind)
    api(libs.slf4j.api)
}

// Type-checks and bundles the page with the installed Node; returns at once when nothing changed.
val web = tasks.register<Exec>("web") {
    val output = layout.buildDirectory.dir("web")
    inputs.files(fileTree("src/main/web") { exclude("node_modules") })
    outputs.dir(output)
    commandLine("node", "src/main/web/build.mjs", output.get().dir("dev/gmptrace/viewer/web").asFile.path)
}

sourceSets {
    main {
        resources.srcDir(web)
    }
}

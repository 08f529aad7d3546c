plugins {
    id("com.google.protobuf")
}

dependencies {
    api(libs.protobuf.java)
    api(libs.jctools.core.jdk11)
    api(libs.jctools.core)
    testImplementation(libs.jcstress.core)
    testAnnotationProcessor(libs.jcstress.core)
}

sourceSets {
    main {
        proto {
            srcDir("src/main/protobuf")
        }
    }
}

protobuf {
    protoc {
        artifact = "com.google.protobuf:protoc:${libs.versions.protobuf.get()}"
    }
}

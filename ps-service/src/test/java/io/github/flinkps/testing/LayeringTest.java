package io.github.flinkps.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/**
 * Checks which packages may use which others: {@code codec <- common <- {protocol, security,
 * model}}, {@code {protocol, security} <- transport}, {@code {transport, model} <- {client,
 * server}}. Client and server do not use each other. None of them knows Flink.
 */
class LayeringTest {
    private static final JavaClasses CLASSES = load();

    private static JavaClasses load() {
        // Names of packages are enough here; reading every library's classes takes seconds.
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        return new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.github.flinkps");
    }

    @Test
    void packagesFormNoCircle() {
        slices().matching("io.github.flinkps.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void packagesSeeOnlyThoseBelow() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .withOptionalLayers(true)
                .layer("codec")
                .definedBy("io.github.flinkps.codec..")
                .layer("common")
                .definedBy("io.github.flinkps.common..")
                .layer("protocol")
                .definedBy("io.github.flinkps.protocol..")
                .layer("security")
                .definedBy("io.github.flinkps.security..")
                .layer("transport")
                .definedBy("io.github.flinkps.transport..")
                .layer("model")
                .definedBy("io.github.flinkps.model..")
                .layer("client")
                .definedBy("io.github.flinkps.client..")
                .layer("server")
                .definedBy("io.github.flinkps.server..")
                .whereLayer("codec")
                .mayNotAccessAnyLayer()
                .whereLayer("common")
                .mayOnlyAccessLayers("codec")
                .whereLayer("protocol")
                .mayOnlyAccessLayers("codec", "common")
                .whereLayer("security")
                .mayOnlyAccessLayers("common")
                .whereLayer("transport")
                .mayOnlyAccessLayers("codec", "common", "protocol", "security")
                .whereLayer("model")
                .mayOnlyAccessLayers("codec", "common")
                .whereLayer("client")
                .mayOnlyAccessLayers(
                        "codec", "common", "protocol", "security", "transport", "model")
                .whereLayer("server")
                .mayOnlyAccessLayers(
                        "codec", "common", "protocol", "security", "transport", "model")
                .check(CLASSES);
    }

    @Test
    void everyPackageHasItsPlace() {
        classes()
                .should()
                .resideInAnyPackage(
                        "io.github.flinkps.codec..",
                        "io.github.flinkps.common..",
                        "io.github.flinkps.protocol..",
                        "io.github.flinkps.security..",
                        "io.github.flinkps.transport..",
                        "io.github.flinkps.model..",
                        "io.github.flinkps.client..",
                        "io.github.flinkps.server..")
                .check(CLASSES);
    }

    @Test
    void serviceKnowsNothingOfFlink() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.flink..", "io.github.flinkps.flink..")
                .check(CLASSES);
    }

    @Test
    void modelFilesNeedArrowAndJacksonOnly() {
        classes()
                .that()
                .resideInAPackage("io.github.flinkps.model..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "com.sun.nio.file..", // of the JDK
                        "org.apache.arrow..",
                        "com.fasterxml.jackson..",
                        "org.slf4j..",
                        "io.github.flinkps.codec..",
                        "io.github.flinkps.common..",
                        "io.github.flinkps.model..")
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    /** Checks that what entries do to a model depends on their order alone. */
    @Test
    void effectsReadNoTime() {
        noClasses()
                .that()
                .haveNameMatching(
                        ".*\\.server\\.(ModelEffects|OpenRounds|PartitionLog|PartitionRound|RoundMerger"
                            + "|RoundWeights|RoundBudget|ReadBound|StepCount|WorkerClocks|OwnerTable"
                            + "|OwnerRestore|RowSet|KeyRows|RangeRows|Push|PlainLog|WorkerLog|LogEntry)"
                            + "(\\$.*)?")
                .or()
                .resideInAnyPackage(
                        "io.github.flinkps.server.store..", "io.github.flinkps.server.update..")
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.time\\..*|io\\.github\\.flinkps\\.transport\\.Loop")
                .check(CLASSES);
    }
}

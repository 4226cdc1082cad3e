package io.github.flinkps.examples;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class LayeringTest {
    @Test
    void examplesUseWhatUsersMayUse() {
        // Names of packages are enough here; reading every library's classes takes seconds.
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.github.flinkps..internal..",
                        "io.github.flinkps.protocol..",
                        "io.github.flinkps.transport..",
                        "io.github.flinkps.cli..")
                .allowEmptyShould(true)
                .check(
                        new ClassFileImporter()
                                .withImportOption(new ImportOption.DoNotIncludeTests())
                                .importPackages("io.github.flinkps.examples"));
    }
}

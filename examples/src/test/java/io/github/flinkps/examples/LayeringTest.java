package io.github.flinkps.examples;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class LayeringTest {
    @Test
    void examplesUseWhatUsersMayUse() {
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

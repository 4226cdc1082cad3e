package io.github.flinkps.codec;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class LayeringTest {
    @Test
    void codecKnowsArrowOnly() {
        // Names of packages are enough here; reading every library's classes takes seconds.
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        classes()
                .that()
                .resideInAPackage("io.github.flinkps..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "sun.misc",
                        "org.apache.arrow..",
                        "com.google.flatbuffers..",
                        "io.github.flinkps.codec..")
                .check(
                        new ClassFileImporter()
                                .withImportOption(new ImportOption.DoNotIncludeTests())
                                .importPackages("io.github.flinkps.codec"));
    }
}

package io.github.flinkps.codec;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class LayeringTest {
    @Test
    void codecKnowsArrowOnly() {
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

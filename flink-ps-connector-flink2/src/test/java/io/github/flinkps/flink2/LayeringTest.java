package io.github.flinkps.flink2;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class LayeringTest {
    @Test
    void seesPublicFlinkAndWhatScores() {
        // Names of packages are enough here; reading every library's classes takes seconds.
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.github.flinkps.flink2",
                        "io.github.flinkps.flink.data",
                        "io.github.flinkps.flink.serving",
                        "io.github.flinkps.flink.table.function",
                        "org.apache.flink.configuration",
                        "org.apache.flink.table..",
                        "org.apache.flink.util",
                        "java..")
                .check(
                        new ClassFileImporter()
                                .withImportOption(new ImportOption.DoNotIncludeTests())
                                .importPackages("io.github.flinkps.flink2"));
    }
}

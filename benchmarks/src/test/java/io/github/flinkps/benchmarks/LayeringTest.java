package io.github.flinkps.benchmarks;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Sees the packages of this module and of all those below it at once. */
class LayeringTest {
    @Test
    void packagesFormNoCircle() {
        // Names of packages are enough here; reading every library's classes takes seconds.
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        slices().matching("io.github.flinkps.(**)")
                .should()
                .beFreeOfCycles()
                .check(
                        new ClassFileImporter()
                                .withImportOption(new ImportOption.DoNotIncludeTests())
                                .withImportOption(at -> !at.contains("-tests.jar"))
                                .importPackages("io.github.flinkps"));
    }
}

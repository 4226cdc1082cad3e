package io.github.flinkps.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LayeringTest {
    private static final String FLINK = "org.apache.flink..";

    private static JavaClasses classes;

    @BeforeAll
    static void read() {
        // Names of packages are enough here; reading every library's classes takes seconds.
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        classes =
                new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("io.github.flinkps.cli");
    }

    /** A server starts without loading Flink, and so does what only reads files. */
    @Test
    void onlyJobsUseFlink() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.github.flinkps.cli.job..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(FLINK)
                .check(classes);
    }

    @Test
    void nobodySeesWhatIsInternal() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.github.flinkps..internal..")
                .check(classes);
    }

    @Test
    void packagesFormNoCircle() {
        slices().matching("io.github.flinkps.(**)").should().beFreeOfCycles().check(classes);
    }
}

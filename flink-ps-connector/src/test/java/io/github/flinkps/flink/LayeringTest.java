package io.github.flinkps.flink;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.CanBeAnnotated.Predicates.annotatedWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.apache.flink.annotation.Internal;
import org.junit.jupiter.api.Test;

class LayeringTest {
    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    // Of which another module that runs these tests has the packaged ones.
                    .withImportOption(location -> !location.contains("-tests.jar"))
                    .importPackages("io.github.flinkps.flink");

    /** A type that a public annotation has as default, so that whatever bears it refers to it. */
    private static final String DEFAULT_OF_HINTS = "UnknownSerializer";

    @Test
    void internalTypesOfFlinkStayBehindCompat() {
        noClasses()
                .that()
                .resideOutsideOfPackage("..internal.compat..")
                .should()
                .dependOnClassesThat(
                        annotatedWith(Internal.class)
                                .<JavaClass>forSubtype()
                                .and(not(JavaClass.Predicates.simpleName(DEFAULT_OF_HINTS))))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void internalMembersOfFlinkStayBehindCompat() {
        noClasses()
                .that()
                .resideOutsideOfPackage("..internal.compat..")
                .should()
                .accessTargetWhere(target(annotatedWith(Internal.class)))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void packagesFormNoCircle() {
        slices().matching("io.github.flinkps.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void compatIsTheBottomOfTheConnector() {
        noClasses()
                .that()
                .resideInAPackage("..internal.compat..")
                .should()
                .dependOnClassesThat(
                        JavaClass.Predicates.resideInAPackage("io.github.flinkps.flink..")
                                .and(
                                        JavaClass.Predicates.resideOutsideOfPackage(
                                                "..internal.compat..")))
                .allowEmptyShould(true)
                .check(CLASSES);
    }
}

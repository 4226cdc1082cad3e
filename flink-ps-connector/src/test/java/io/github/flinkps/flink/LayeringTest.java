package io.github.flinkps.flink;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.CanBeAnnotated.Predicates.annotatedWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

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
                    .importPackages("io.github.flinkps.flink");

    @Test
    void internalTypesOfFlinkStayBehindCompat() {
        noClasses()
                .that()
                .resideOutsideOfPackage("..internal.compat..")
                .should()
                .dependOnClassesThat()
                .areAnnotatedWith(Internal.class)
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

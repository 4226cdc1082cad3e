package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.junit.jupiter.api.Test;

/**
 * Whatever our class files name of Flink is there in the Flink of the class path, which need not be
 * the one they were compiled with: also where no test comes by.
 */
class LinkageTest {
    private static final String OURS = "io.github.flinkps.flink";
    private static final String FLINK = "org.apache.flink.";

    /** Flink ML, and what needs it, is for Flink 1 alone. */
    private static final boolean ML = EnvironmentInformation.getVersion().startsWith("1.");

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(location -> ML || !location.contains("/flinkps/flink/ml/"))
                    .importPackages(OURS);

    private static Class<?> load(String name) throws ClassNotFoundException {
        return Class.forName(name, false, LinkageTest.class.getClassLoader());
    }

    /** The class with all that it extends and implements. */
    private static List<Class<?>> family(Class<?> start) {
        List<Class<?>> family = new ArrayList<>();
        if (start.getSuperclass() != null) {
            family.addAll(family(start.getSuperclass()));
        } else if (start.isInterface()) {
            family.add(Object.class);
        }
        for (Class<?> each : start.getInterfaces()) {
            family.addAll(family(each));
        }
        family.add(start);
        return family;
    }

    private static List<String> names(Class<?>[] types) {
        return Arrays.stream(types).map(Class::getName).toList();
    }

    private static List<String> names(List<JavaClass> types) {
        return types.stream().map(JavaClass::getName).toList();
    }

    private static boolean isThere(AccessTarget target) throws ClassNotFoundException {
        Class<?> owner = load(target.getOwner().getName());
        if (target instanceof AccessTarget.FieldAccessTarget field) {
            String type = field.getRawType().getName();
            return family(owner).stream()
                    .flatMap(each -> Stream.of(each.getDeclaredFields()))
                    .anyMatch(
                            each ->
                                    each.getName().equals(field.getName())
                                            && each.getType().getName().equals(type));
        }
        AccessTarget.CodeUnitAccessTarget code = (AccessTarget.CodeUnitAccessTarget) target;
        List<String> parameters = names(code.getRawParameterTypes());
        if (target instanceof AccessTarget.ConstructorCallTarget
                || target instanceof AccessTarget.ConstructorReferenceTarget) {
            return Stream.of(owner.getDeclaredConstructors())
                    .anyMatch(each -> names(each.getParameterTypes()).equals(parameters));
        }
        String type = code.getRawReturnType().getName();
        Predicate<Method> same =
                each ->
                        each.getName().equals(code.getName())
                                && each.getReturnType().getName().equals(type)
                                && names(each.getParameterTypes()).equals(parameters);
        return family(owner).stream()
                .flatMap(each -> Stream.of(each.getDeclaredMethods()))
                .anyMatch(same);
    }

    /** The build says which it is to be. */
    @Test
    void thisIsTheFlinkThatIsMeant() {
        String version = EnvironmentInformation.getVersion();
        assertThat(System.getProperty("flink.version", version)).isEqualTo(version);
    }

    @Test
    void everyTypeOfFlinkIsThere() {
        Set<String> absent = new TreeSet<>();
        for (JavaClass each : CLASSES) {
            for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
                String name = dependency.getTargetClass().getBaseComponentType().getName();
                if (name.startsWith(FLINK)) {
                    try {
                        load(name);
                    } catch (ClassNotFoundException e) {
                        absent.add(dependency.getDescription());
                    }
                }
            }
        }
        assertThat(absent).isEmpty();
    }

    @Test
    void everyMemberOfFlinkIsThere() throws Exception {
        Set<String> absent = new TreeSet<>();
        int seen = 0;
        for (JavaClass each : CLASSES) {
            for (JavaAccess<?> access : each.getAccessesFromSelf()) {
                String owner = access.getTargetOwner().getName();
                if (owner.startsWith(FLINK) || owner.startsWith(OURS)) {
                    seen++;
                    if (!access.getTargetOwner().isArray() && !isThere(access.getTarget())) {
                        absent.add(access.getDescription());
                    }
                }
            }
        }
        assertThat(absent).isEmpty();
        assertThat(seen).isGreaterThan(1000);
    }

    @Test
    void everyAbstractMethodOfFlinkIsImplemented() throws Exception {
        Set<String> absent = new TreeSet<>();
        for (JavaClass each : CLASSES) {
            Class<?> type = load(each.getName());
            if (!Modifier.isAbstract(type.getModifiers())) {
                Stream.of(type.getMethods())
                        .filter(method -> Modifier.isAbstract(method.getModifiers()))
                        .forEach(method -> absent.add(type.getName() + " lacks " + method));
            }
        }
        assertThat(absent).isEmpty();
    }
}

package io.github.flinkps.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.local.LocalFileSystem;

/** A file system that Flink knows as a plug-in only: that of this machine, by another name. */
public final class PluggedFiles implements FileSystemFactory {
    static final String SCHEME = "plugged";

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public FileSystem create(URI uri) {
        return new LocalFileSystem();
    }

    /** Installs it into a folder of plug-ins. */
    static void install(Path plugins) throws IOException {
        Path jar = Files.createDirectories(plugins.resolve(SCHEME)).resolve("plugged.jar");
        String file = PluggedFiles.class.getName().replace('.', '/') + ".class";
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out);
                var bytes = PluggedFiles.class.getClassLoader().getResourceAsStream(file)) {
            entries.putNextEntry(new JarEntry(file));
            bytes.transferTo(entries);
            entries.putNextEntry(
                    new JarEntry("META-INF/services/" + FileSystemFactory.class.getName()));
            entries.write(PluggedFiles.class.getName().getBytes(UTF_8));
        }
    }
}

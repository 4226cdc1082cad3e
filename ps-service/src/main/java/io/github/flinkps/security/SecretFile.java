package io.github.flinkps.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at who may read files that hold secrets. Safe for use by any thread. */
final class SecretFile {
    private static final Logger LOG = LoggerFactory.getLogger(SecretFile.class);

    private SecretFile() {}

    /**
     * Warns of a secret that everybody may read who uses the machine.
     *
     * @param option that names the file
     */
    static void warnIfOpen(String option, Path path) {
        try {
            if (Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_READ)) {
                LOG.warn("{} {} can be read by every user of this machine", option, path);
            }
        } catch (IOException | UnsupportedOperationException e) {
            LOG.debug("The permissions of {} are not known", path, e);
        }
    }
}

package io.millrace.schemas.hostkey;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of hosts from a folder with a file {@code HOST.key} for each. Whoever makes or deletes a
 * file changes what the next record proves, a moment later.
 */
public final class HostKeyFolder implements HostKeys {
  public static final String SUFFIX = ".key";

  /** Of a host whose executors are let in no more. */
  public static final String REVOKED = ".revoked";

  /** A file with the secret of which all hosts have their keys that have no file. */
  public static final String SECRET = "shared.secret";

  /** Most of the keys that are made of the secret and kept; whoever claims a name makes one. */
  private static final int SHARED_MAX = 4_096;

  private static final Logger LOG = LoggerFactory.getLogger(HostKeyFolder.class);

  /** A look costs a few microseconds; a record of every host would cost one. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** A folder that was changed so shortly before it was read may have changed again unnoticed. */
  private static final long TICK_MS = 2_000;

  private static final long NEVER = -1;

  private final Path folder;
  private Map<String, HostKey> keys = Map.of();
  private final Map<String, HostKey> shared = new HashMap<>();
  private String secret = "";
  private final long everyNanos;
  private long lookedNanos;
  private long changedMs = NEVER;

  /** Whether all files could be read when it was last tried: what fails again is said once. */
  private boolean wholeBefore = true;

  private long readMs;

  public HostKeyFolder(Path folder) {
    this(folder, LOOK_NANOS);
  }

  /**
   * @param everyNanos how long what was seen counts
   */
  HostKeyFolder(Path folder, long everyNanos) {
    this.folder = folder;
    this.everyNanos = everyNanos;
    this.lookedNanos = System.nanoTime() - everyNanos;
  }

  /** The file with the key of a host. */
  public static Path file(Path folder, String host) {
    return folder.resolve(host + SUFFIX);
  }

  /**
   * The key in a file.
   *
   * @throws IOException in one line, when it cannot be read or is none
   */
  public static HostKey read(String host, Path file) throws IOException {
    try {
      return HostKey.of(host, Files.readString(file).strip());
    } catch (NoSuchFileException e) {
      throw new IOException("there is no file " + file, e);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  @Override
  public synchronized Optional<HostKey> of(String host) {
    if (System.nanoTime() - lookedNanos >= everyNanos) {
      look();
      lookedNanos = System.nanoTime();
    }
    String kept = HostKey.keptAs(host);
    HostKey key = keys.get(kept);
    if (key == null && !secret.isEmpty()) {
      key = shared(kept);
    }
    return Optional.ofNullable(key).map(it -> it.host().equals(host) ? it : it.member(host));
  }

  /** The key that a host has in all homes of a cluster; null when it was revoked here. */
  private HostKey shared(String host) {
    if (!HostKey.isName(host) || Files.exists(folder.resolve(host + REVOKED))) {
      return null;
    }
    if (shared.size() >= SHARED_MAX) {
      shared.clear();
    }
    return shared.computeIfAbsent(host, it -> HostKey.of(it, HostKey.sharedText(secret, it)));
  }

  private void look() {
    try {
      long now = Files.getLastModifiedTime(folder).toMillis();
      if (now != changedMs || readMs - now < TICK_MS) {
        readMs = System.currentTimeMillis();
        Map<String, HostKey> all = new HashMap<>();
        wholeBefore = read(all);
        keys = all;
        shared.clear();
        secret = secret();
        changedMs = wholeBefore ? now : NEVER;
      }
    } catch (NoSuchFileException e) {
      keys = Map.of();
    } catch (IOException | UncheckedIOException e) {
      // Those known go on: a full table of files must not turn all hosts away.
      LOG.error("the keys of hosts cannot be read: {}", e.toString());
    }
  }

  private String secret() throws IOException {
    Path file = folder.resolve(SECRET);
    String text = Files.exists(file) ? Files.readString(file).strip() : "";
    if (!text.isEmpty() && !HostKey.isSecret(text)) {
      LOG.error("{} is not of 64 hex digits", file);
      return "";
    }
    return text;
  }

  /** Reads all keys; false when a file cannot be read now, whose key is then the one known. */
  private boolean read(Map<String, HostKey> all) throws IOException {
    boolean whole = true;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        String host = name.substring(0, name.length() - SUFFIX.length());
        try {
          all.put(host, read(host, file));
        } catch (IOException e) {
          whole &= saysWhatIsThere(e);
          if (wholeBefore) {
            LOG.error("the key of host {}: {}", host, e.toString());
          }
          if (!saysWhatIsThere(e) && keys.containsKey(host)) {
            all.put(host, keys.get(host));
          }
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return whole;
  }

  /**
   * Whether there is no key in the file; otherwise it could not be read, as without descriptors.
   */
  private static boolean saysWhatIsThere(IOException e) {
    return e.getCause() instanceof NoSuchFileException
        || e.getCause() instanceof IllegalArgumentException
        || e instanceof CharacterCodingException;
  }
}

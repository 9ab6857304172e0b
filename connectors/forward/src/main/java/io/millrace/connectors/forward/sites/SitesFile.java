package io.millrace.connectors.forward.sites;

import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The file {@code etc/sites.properties} of a home: where other installations are, and by which
 * token they are asked. It is read anew each time, so that what an administrator changes counts at
 * once.
 */
final class SitesFile {

  /**
   * Another installation.
   *
   * @param door https, without a path
   * @param tokenFile only its owner may read it
   * @param trusted certificates in PEM; null for those of the JDK
   */
  record OtherSite(String name, URI door, Path tokenFile, Path trusted) {

    /** The token now. */
    String token() throws IOException {
      PosixFileAttributes file = attributes(tokenFile);
      Set<PosixFilePermission> others = file.permissions();
      others.removeAll(EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
      if (!others.isEmpty()) {
        throw new IOException(
            tokenFile
                + " must have mode 0600, not "
                + PosixFilePermissions.toString(Files.getPosixFilePermissions(tokenFile))
                + ": others could have read the token");
      }
      if (file.size() > TOKEN_BYTES_MAX) {
        throw new IOException(tokenFile + " holds no token: it is too long");
      }
      String token = new String(bytes(tokenFile), StandardCharsets.ISO_8859_1).strip();
      if (!TOKEN.matcher(token).matches()) {
        throw new IOException(tokenFile + " holds no token");
      }
      return token;
    }

    /** The certificates to trust, in PEM; none for those of the JDK. */
    byte[] certificates() throws IOException {
      return trusted == null ? new byte[0] : ownersBytes(trusted);
    }
  }

  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_.=-]{1,8192}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,62}");
  private static final Set<String> WORDS = Set.of("url", "token_file", "ca");
  private static final long BYTES_MAX = 1 << 20;
  private static final long TOKEN_BYTES_MAX = 16 << 10;

  /** The file can be used, and names no site of this name. */
  static final class UnknownSiteException extends IOException {
    private static final long serialVersionUID = 1L;

    UnknownSiteException(String words) {
      super(words);
    }
  }

  private final Path path;

  SitesFile(Path path) {
    this.path = path;
  }

  /**
   * The installation of this name.
   *
   * @throws IOException when the file does not name it, or what it says cannot be used; one line
   */
  OtherSite site(String name) throws IOException {
    Properties all = read();
    String url = all.getProperty(name + ".url");
    if (url == null) {
      Set<String> names = new TreeSet<>();
      for (String key : all.stringPropertyNames()) {
        names.add(key.substring(0, key.lastIndexOf('.')));
      }
      String there = names.isEmpty() ? "it names none" : "it names " + String.join(", ", names);
      throw new UnknownSiteException("no site " + name + " in " + path + "; " + there);
    }
    String file = all.getProperty(name + ".token_file");
    if (file == null) {
      throw new IOException(path + ": " + name + ".token_file is missing");
    }
    String ca = all.getProperty(name + ".ca");
    Path folder = path.toAbsolutePath().getParent();
    return new OtherSite(
        name, door(name, url), folder.resolve(file), ca == null ? null : folder.resolve(ca));
  }

  private URI door(String name, String url) throws IOException {
    String wanted = path + ": " + name + ".url is https://HOST:PORT, not " + url;
    try {
      URI door = URI.create(url.strip());
      boolean bare =
          (door.getPath().isEmpty() || door.getPath().equals("/"))
              && door.getQuery() == null
              && door.getUserInfo() == null;
      if (!"https".equals(door.getScheme()) || door.getHost() == null || !bare) {
        throw new IOException(wanted);
      }
      return URI.create("https://" + door.getRawAuthority());
    } catch (IllegalArgumentException e) {
      throw new IOException(wanted, e);
    }
  }

  /** Who could write such a file could have tokens sent to himself. */
  private static byte[] ownersBytes(Path path) throws IOException {
    PosixFileAttributes file = attributes(path);
    if (file.permissions().contains(PosixFilePermission.GROUP_WRITE)
        || file.permissions().contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IOException(path + " must be writable by its owner alone");
    }
    if (file.size() > BYTES_MAX) {
      throw new IOException(path + " has more than " + BYTES_MAX + " bytes");
    }
    return bytes(path);
  }

  private static byte[] bytes(Path path) throws IOException {
    try {
      return Files.readAllBytes(path);
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  /** The messages of such exceptions are often nothing but the path. */
  private static IOException unreadable(Path path, IOException e) {
    String why =
        e instanceof AccessDeniedException ? "permission denied" : e.getClass().getSimpleName();
    return new IOException(path + " cannot be read: " + why, e);
  }

  private Properties read() throws IOException {
    Properties all = new Properties();
    try {
      all.load(new StringReader(new String(ownersBytes(path), StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    }
    for (String key : all.stringPropertyNames()) {
      int dot = key.lastIndexOf('.');
      boolean known = dot > 0 && WORDS.contains(key.substring(dot + 1));
      if (!known || !NAME.matcher(key.substring(0, dot)).matches()) {
        throw new IOException(path + ": " + key + " is no NAME.url, NAME.token_file or NAME.ca");
      }
    }
    return all;
  }

  /** Of a regular file that is root's or our own. */
  private static PosixFileAttributes attributes(Path path) throws IOException {
    PosixFileAttributes file;
    try {
      file = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      throw new IOException("there is no " + path, e);
    } catch (IOException e) {
      throw unreadable(path, e);
    }
    if (!file.isRegularFile()) {
      throw new IOException(path + " is no regular file");
    }
    UserPrincipal self =
        path.getFileSystem()
            .getUserPrincipalLookupService()
            .lookupPrincipalByName(System.getProperty("user.name"));
    if (!file.owner().equals(self) && !file.owner().getName().equals("root")) {
      throw new IOException(path + " belongs to " + file.owner().getName() + ": refused");
    }
    return file;
  }
}

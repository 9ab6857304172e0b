package io.millrace.connectors.forward.sites;

import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
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
      Set<PosixFilePermission> others = attributes(tokenFile).permissions();
      others.removeAll(EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
      if (!others.isEmpty()) {
        throw new IOException(
            tokenFile
                + " must have mode 0600, not "
                + PosixFilePermissions.toString(Files.getPosixFilePermissions(tokenFile))
                + ": others could have read the token");
      }
      String token = Files.readString(tokenFile, StandardCharsets.US_ASCII).strip();
      if (!TOKEN.matcher(token).matches()) {
        throw new IOException(tokenFile + " holds no token");
      }
      return token;
    }
  }

  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_.=-]{1,8192}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,62}");
  private static final Set<String> WORDS = Set.of("url", "token_file", "ca");
  private static final long BYTES_MAX = 1 << 20;

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
      throw new IOException("no site " + name + " in " + path + "; " + there);
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

  /** Who could write the file could have tokens sent to himself. */
  private Properties read() throws IOException {
    PosixFileAttributes file = attributes(path);
    if (file.permissions().contains(PosixFilePermission.GROUP_WRITE)
        || file.permissions().contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IOException(path + " must be writable by its owner alone");
    }
    if (file.size() > BYTES_MAX) {
      throw new IOException(path + " has more than " + BYTES_MAX + " bytes");
    }
    Properties all = new Properties();
    try (Reader in = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
      all.load(in);
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

package io.millrace.schemas;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Names of hosts; that of this host is used as the key of its records. */
public final class HostName {

  private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");

  /** Looks up host names. */
  interface Directory {
    InetAddress local() throws UnknownHostException;
  }

  private HostName() {}

  /**
   * The host's full name, with or without a domain as it is configured. A host whose name cannot be
   * looked up has its kernel's name.
   *
   * @throws IOException in one line when there is no name at all
   */
  public static String whole() throws IOException {
    return whole(InetAddress::getLocalHost, KERNEL);
  }

  /**
   * Up to the first dot.
   *
   * @throws IOException in one line when there is no name at all
   */
  public static String untilDot() throws IOException {
    return untilDot(whole());
  }

  /** A name up to the first dot. */
  public static String untilDot(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  /**
   * The cluster of another system of which a host is, {@code HOST@CLUSTER}; empty for one of none.
   */
  public static String cluster(String host) {
    int at = host.indexOf('@');
    return at < 0 ? "" : host.substring(at + 1);
  }

  static String whole(Directory directory, Path kernel) throws IOException {
    try {
      return directory.local().getHostName();
    } catch (UnknownHostException e) {
      String name = Files.exists(kernel) ? Files.readString(kernel).strip() : "";
      if (name.isEmpty()) {
        throw new IOException("this host does not know its name: " + e.getMessage(), e);
      }
      return name;
    }
  }
}

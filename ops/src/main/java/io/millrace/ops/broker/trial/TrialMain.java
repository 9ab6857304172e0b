package io.millrace.ops.broker.trial;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.FolderTree;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.SmallFile;
import io.millrace.ops.keys.ListenerCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the compose file makes before its parts begin: {@code brokers FOLDER HOST...} has a folder
 * for each broker and the administrator's settings, {@code certificate FOLDER HOST} a certificate
 * that signs itself. Whatever is there stays.
 */
public final class TrialMain {

  private static final int FIXED = 2;

  private TrialMain() {}

  public static void main(String[] args) throws InterruptedException {
    try {
      run(List.of(args));
    } catch (IOException e) {
      System.err.println("trial: " + e.getMessage());
      System.exit(1);
    }
  }

  static void run(List<String> args) throws IOException, InterruptedException {
    if (args.size() <= FIXED) {
      throw new IOException("brokers FOLDER HOST... or certificate FOLDER HOST");
    }
    Path folder = Path.of(args.get(1));
    List<String> hosts = args.subList(FIXED, args.size());
    switch (args.get(0)) {
      case "brokers" -> brokers(folder, hosts);
      case "certificate" -> certificate(new Home(folder), hosts.get(0));
      default -> throw new IOException("there is no '" + args.get(0) + "'");
    }
  }

  private static void brokers(Path folder, List<String> hosts)
      throws IOException, InterruptedException {
    Path admin = folder.resolve("admin.properties");
    if (Files.exists(admin)) {
      return; // made last, so that all else is there too
    }
    Map<String, String> addresses = new LinkedHashMap<>();
    for (String host : hosts) {
      addresses.put(host, host);
      // Of one that was interrupted: no broker has begun without the administrator's settings.
      FolderTree.delete(folder.resolve(host));
    }
    TrialBrokers brokers = new TrialBrokers(folder, addresses, Map.of());
    brokers.make();
    String text = "# the administrator of the brokers\n" + ClientSettings.text(brokers.admin());
    SmallFile.write(admin, text, "rw-------");
  }

  private static void certificate(Home place, String host)
      throws IOException, InterruptedException {
    Files.createDirectories(place.tls());
    new ListenerCertificate(place, host).ensure();
  }
}

package io.millrace.ops.installation;

import io.millrace.ops.home.BuildMark;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.HomeOwner;
import io.millrace.ops.home.KafkaPrincipal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Checks whether this build may use a home as it is, before anything is started or stopped. */
public final class HomeCheck {

  private HomeCheck() {}

  /**
   * Accepts a home that is new, or that is the caller's, intact and not used by a newer build.
   *
   * @throws IOException what is wrong, in one line
   */
  public static void pass(Home home) throws IOException {
    HomeOwner.require(home);
    Optional<BuildMark> last = BuildMark.read(home);
    if (last.isEmpty() && Files.exists(home.initialised())) {
      throw BuildMark.tooOld(home);
    }
    BuildMark own = BuildMark.current();
    if (last.isPresent() && last.get().newerThan(own)) {
      throw new IOException(
          home.root()
              + " was used by "
              + last.get().text()
              + ", which is newer than this "
              + own.text()
              + ": this one may not understand what stands there (docs/upgrade.md tells how to go"
              + " back)");
    }
    if (Files.exists(home.root().resolve(Home.RESTORE))) {
      throw new IOException(
          "a restore into "
              + home.root()
              + " was interrupted or is at work: call ./millrace restore again, into an empty"
              + " folder");
    }
    Path topics = home.brokerData().resolve("meta.properties");
    if (Files.exists(home.initialised())) {
      sound(home, topics);
    } else if (Files.exists(topics) && !Files.exists(home.settings())) {
      throw new IOException(
          home.root()
              + " is damaged: there are topics, but neither "
              + home.settings()
              + " nor "
              + home.initialised()
              + " (docs/backup.md: restore)");
    }
  }

  /**
   * Refuses a home without its topics, because a broker that does not find its folder would begin
   * with an empty one.
   */
  private static void sound(Home home, Path topics) throws IOException {
    boolean embedded = ClusterSettings.read(home).isEmbedded();
    if (embedded && !Files.exists(topics)) {
      throw new IOException(
          home.root() + " is damaged: " + topics + " is missing (docs/backup.md: restore)");
    }
    boolean joined = Files.exists(home.joined());
    for (KafkaPrincipal principal : KafkaPrincipal.values()) {
      if (principal == KafkaPrincipal.ADMIN && joined) {
        continue;
      }
      if (principal == KafkaPrincipal.MONITOR && !embedded) {
        // On an external cluster its administrator decides who may read everything.
        continue;
      }
      Path client = home.client(principal);
      if (!Files.exists(client)) {
        throw new IOException(
            home.root() + " is damaged: " + client + " is missing (docs/backup.md: restore)");
      }
      if (embedded) {
        ClientSettings.password(home, principal);
        if (!ClientSettings.keepsPassword(home, principal)) {
          throw BuildMark.tooOld(home);
        }
      }
    }
  }
}

package io.millrace.server.gateway.command;

import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.gateway.link.ClusterView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The groups of a user beside the primary one, as the system's directory has them. */
final class OwnerGroups {
  private static final long PATIENCE_S = 5;

  private OwnerGroups() {}

  /**
   * Looks only while some queue asks for groups, since the directory may be slow.
   *
   * @return null when nobody asks, or the directory did not tell
   */
  static List<String> of(Site site, String user) {
    boolean asked =
        site.cluster().all(ObjectKind.QUEUE).stream()
            .anyMatch(
                it ->
                    ClusterView.attribute(it, "acl_group_enable")
                        .filter("True"::equals)
                        .isPresent());
    return asked ? told(user) : null;
  }

  /** The JDK knows only the groups of its own process. */
  private static List<String> told(String user) {
    try {
      Process id = new ProcessBuilder("id", "-Gn", "--", user).redirectErrorStream(false).start();
      id.getOutputStream().close();
      if (!id.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
        id.destroyForcibly();
        return null;
      }
      String text = new String(id.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return id.exitValue() == 0 ? List.of(text.split(" ")) : null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}

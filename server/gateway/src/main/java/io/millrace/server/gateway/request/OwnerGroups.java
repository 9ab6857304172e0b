package io.millrace.server.gateway.request;

import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterView;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The groups of a user beside the primary one, as the system's directory has them. */
public final class OwnerGroups {
  private static final Logger log = LoggerFactory.getLogger(OwnerGroups.class);
  private static final long PATIENCE_S = 5;

  private OwnerGroups() {}

  /**
   * Looks them up only when some queue has a list of groups, since the directory may be slow.
   *
   * @return null when no queue has such a list, or the directory did not answer
   */
  static List<String> of(Site site, String user) {
    boolean asked =
        site.cluster().all(ObjectKind.QUEUE).stream()
            .anyMatch(
                it ->
                    ClusterView.attribute(it, "acl_group_enable")
                        .filter("True"::equals)
                        .isPresent());
    return asked ? all(user) : null;
  }

  /** All groups of a user, the primary one too; null when the directory did not answer. */
  public static List<String> all(String user) {
    return told(List.of("id", "-Gn", "--", user), log::warn);
  }

  /**
   * Runs the command that prints the groups of a user, as the JDK has no call for that.
   *
   * @param complain told why there is no answer
   */
  static List<String> told(List<String> question, Consumer<String> complain) {
    String asked = String.join(" ", question);
    try {
      Process id = new ProcessBuilder(question).start();
      id.getOutputStream().close();
      if (!id.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
        id.destroyForcibly();
        complain.accept(asked + " has not answered within " + PATIENCE_S + " s");
        return null;
      }
      if (id.exitValue() != 0) {
        complain.accept(asked + " ended with " + id.exitValue() + ": " + text(id.getErrorStream()));
        return null;
      }
      return List.of(text(id.getInputStream()).split(" "));
    } catch (IOException e) {
      complain.accept(asked + " failed: " + e.getMessage());
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private static String text(InputStream stream) throws IOException {
    return new String(stream.readAllBytes(), StandardCharsets.UTF_8).strip();
  }
}

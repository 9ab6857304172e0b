package io.millrace.server.core.shard;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Envelope;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.server.core.state.Keys;
import org.apache.avro.specific.SpecificRecord;

/**
 * A command that was refused for its family or its host, as the audit log names it: who sent it,
 * what it was, what it claimed to be. No other field of it, and nothing without bound: a forger
 * chose the words.
 */
public final class RefusalText {
  private static final int CHARS_MAX = 64;

  private RefusalText() {}

  /**
   * @param from the family whose topic the command came from
   * @param host the host that it has proven to come from; empty when it has proven none
   * @param reason a word: the family may not send it, the role is of another family, or what {@link
   *     HostRule} says
   */
  public static String of(CommandFamily from, String host, SpecificRecord command, String reason) {
    CommandMeta claimed = Envelope.ofCommand(command);
    return "refused family="
        + from.word()
        + (host.isEmpty() ? "" : " host=" + plain(host))
        + " reason="
        + reason
        + " command="
        + command.getSchema().getName()
        + " id="
        + Keys.command(claimed.getId())
        + " claims="
        + claimed.getRole()
        + ","
        + plain(claimed.getPrincipal())
        + ","
        + plain(HostRule.named(command).orElse(claimed.getHost()));
  }

  private static String plain(String text) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), CHARS_MAX); i++) {
      char c = text.charAt(i);
      plain.append(c > ' ' && c < 127 && c != ',' && c != '"' ? c : '_');
    }
    return plain.toString();
  }
}

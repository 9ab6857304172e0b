package io.millrace.server.campaigns.ask;

import io.millrace.schemas.campaign.NoticeSeverity;
import io.millrace.schemas.campaign.Subscription;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the caller has subscribed to: nobody sees addresses of others. */
public final class OwnSubscriptions {

  private OwnSubscriptions() {}

  public static List<Subscription> of(Call call, DoorCall door)
      throws Failure, InterruptedException {
    String user = call.meta().getPrincipal();
    return door.list("/subscriptions", Subscription.class).stream()
        .filter(it -> it.getUser().equals(user))
        .toList();
  }

  /** The severity of a word, in lower case. */
  public static Optional<NoticeSeverity> severity(String word) {
    return Arrays.stream(NoticeSeverity.values())
        .filter(it -> it.name().toLowerCase(Locale.ROOT).equals(word))
        .findFirst();
  }
}

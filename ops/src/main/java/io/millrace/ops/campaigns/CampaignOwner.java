package io.millrace.ops.campaigns;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.List;
import java.util.Optional;

/**
 * Who submits a campaign: the caller, or an ordinary user for whom root calls the commands, since
 * root has no campaigns.
 */
public record CampaignOwner(String name) {

  /** Option of words that submit a campaign. */
  public static final String OPTION = "--user";

  private static final String ROOT = "root";

  /**
   * @throws IllegalArgumentException in one line, when there is none or it cannot be that user
   */
  public static CampaignOwner of(Optional<String> given) throws IOException {
    return of(System.getProperty("user.name"), given);
  }

  static CampaignOwner of(String caller, Optional<String> given) throws IOException {
    String name = given.orElse(caller);
    if (name.equals(ROOT)) {
      throw new IllegalArgumentException(
          "root has no campaigns; " + OPTION + " NAME says whose this one is");
    }
    if (!name.equals(caller) && !caller.equals(ROOT)) {
      throw new IllegalArgumentException(
          OPTION + " " + name + ": you are " + caller + ", and only root acts for another user");
    }
    try {
      FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(name);
    } catch (UserPrincipalNotFoundException e) {
      throw new IllegalArgumentException("there is no user " + name, e);
    }
    return new CampaignOwner(name);
  }

  /** Whether commands are called by another user. */
  private boolean isCaller() {
    return name.equals(System.getProperty("user.name"));
  }

  /** Words before a command that make it this user's. */
  public List<String> become() {
    return isCaller() ? List.of() : List.of("runuser", "-u", name, "--");
  }
}

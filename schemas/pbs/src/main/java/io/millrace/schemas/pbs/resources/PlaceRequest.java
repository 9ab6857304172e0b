package io.millrace.schemas.pbs.resources;

import io.millrace.schemas.pbs.attributes.NodeSharing;
import java.util.Optional;

/**
 * A parsed place directive.
 *
 * @param group resource of which all nodes of the job must have the same value; empty for none
 */
public record PlaceRequest(Arrangement arrangement, Sharing sharing, String group) {

  private static final String GROUP = "group=";

  /** A placement without a group. */
  public PlaceRequest(Arrangement arrangement, Sharing sharing) {
    this(arrangement, sharing, "");
  }

  /** How the chunks of one job are distributed. */
  public enum Arrangement {
    /** On any nodes. */
    FREE,
    /** All on one host. */
    PACK,
    /** Each on a host of its own. */
    SCATTER,
    /** Each on a node of its own. */
    VSCATTER
  }

  /** Whether other jobs may share the nodes. */
  public enum Sharing {
    /** Not given: the nodes' own sharing attribute decides. */
    UNSAID,
    SHARED,
    /** No other job on the nodes of the job. */
    EXCL,
    /** No other job on the hosts of the job. */
    EXCLHOST,
    /** The same, whatever the nodes say: nobody asks for it, hosts under maintenance are had so. */
    WHOLE;

    /**
     * The sharing that results on a node with this attribute: {@link #SHARED}, {@link #EXCL} or
     * {@link #EXCLHOST}.
     */
    public Sharing on(NodeSharing node) {
      if (this == WHOLE) {
        return EXCLHOST;
      }
      return switch (node) {
        case DEFAULT_SHARED -> this == UNSAID ? SHARED : this;
        case DEFAULT_EXCL -> this == UNSAID ? EXCL : this;
        case DEFAULT_EXCLHOST -> this == UNSAID ? EXCLHOST : this;
        case IGNORE_EXCL -> SHARED;
        case FORCE_EXCL -> this == EXCLHOST ? EXCLHOST : EXCL;
        case FORCE_EXCLHOST -> EXCLHOST;
      };
    }

    /** True when the job does not ask for exclusive use. */
    public boolean shares() {
      return this == UNSAID || this == SHARED;
    }
  }

  /** The placement of a text that {@link RequestParser} has accepted; an empty text means free. */
  public static PlaceRequest of(String place) {
    return parse(place).orElseThrow(() -> new IllegalArgumentException("place=" + place));
  }

  /**
   * Reads {@code [free|pack|scatter|vscatter][:][shared|excl|exclhost][:][group=RESOURCE]}; nothing
   * for other words.
   */
  public static Optional<PlaceRequest> parse(String place) {
    if (place.isEmpty()) {
      return Optional.of(new PlaceRequest(Arrangement.FREE, Sharing.UNSAID));
    }
    Arrangement arrangement = null;
    Sharing sharing = null;
    String group = "";
    for (String word : place.split(":", -1)) {
      Arrangement newArrangement =
          switch (word) {
            case "free" -> Arrangement.FREE;
            case "pack" -> Arrangement.PACK;
            case "scatter" -> Arrangement.SCATTER;
            case "vscatter" -> Arrangement.VSCATTER;
            default -> null;
          };
      Sharing newSharing =
          switch (word) {
            case "shared" -> Sharing.SHARED;
            case "excl" -> Sharing.EXCL;
            case "exclhost" -> Sharing.EXCLHOST;
            default -> null;
          };
      boolean again =
          newArrangement != null && arrangement != null || newSharing != null && sharing != null;
      if (word.startsWith(GROUP) && word.length() > GROUP.length() && group.isEmpty()) {
        group = word.substring(GROUP.length());
      } else if (newArrangement == null && newSharing == null || again) {
        return Optional.empty();
      }
      arrangement = newArrangement != null ? newArrangement : arrangement;
      sharing = newSharing != null ? newSharing : sharing;
    }
    return Optional.of(
        new PlaceRequest(
            arrangement == null ? Arrangement.FREE : arrangement,
            sharing == null ? Sharing.UNSAID : sharing,
            group));
  }
}

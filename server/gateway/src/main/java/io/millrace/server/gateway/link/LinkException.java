package io.millrace.server.gateway.link;

/** A command or question that could not be delivered or was not answered in time. */
public final class LinkException extends Exception {
  private static final long serialVersionUID = 1L;

  public enum LinkFailureKind {
    /** It is not carried out, now or later: it never left, or its shard has withdrawn it. */
    UNREACHABLE,
    /** It was sent, perhaps, and no answer came in time; it may still be carried out. */
    UNANSWERED,
    /** It was not sent: no topic of the cluster takes a record of this size. */
    TOO_LARGE,
    /** It was not sent: others that wait for answers have all the room. */
    NO_ROOM,
    /** The gateway stops. */
    CLOSED
  }

  private final LinkFailureKind kind;

  /** A failure that the message describes in one line without the command's name. */
  public LinkException(LinkFailureKind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public LinkFailureKind kind() {
    return kind;
  }
}

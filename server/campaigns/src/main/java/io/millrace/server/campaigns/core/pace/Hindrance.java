package io.millrace.server.campaigns.core.pace;

/** What keeps all tasks of a campaign from a cluster, whatever room that has. */
public enum Hindrance {
  NONE,
  /** Somebody wants that nothing of the campaign is sent. */
  PAUSED,
  /** So many events of the campaign are open that nothing of it is sent. */
  EVENTS,
  /** Its tasks are in so many places that its record would become too large. */
  PLACES,
  /** An event keeps this campaign away. */
  BLACKLIST,
  /** The campaign's prologue is at the cluster, or has failed there for good. */
  PROLOGUE,
  /** The type of the campaign's jobs does, which are for another time or another kind of queue. */
  TYPE,
  /** What was seen of the cluster keeps all away. */
  STOP,
  /** It has refused tasks, or they waited there in vain, and is left alone for a while. */
  REFUSED,
  /** It is hard pressed. */
  STRESS
}

package io.millrace.ops.outside.peer;

import java.io.IOException;

/** The daemons of a batch system, which can be killed and started again. */
public interface PeerDaemons {

  /**
   * Sends SIGKILL to a daemon and waits until it is gone; what it has started goes on.
   *
   * @return false when it did not run
   */
  boolean kill(PeerDaemon daemon) throws IOException, InterruptedException;

  /** Starts a daemon again, which goes on with what it knew. */
  void start(PeerDaemon daemon) throws IOException, InterruptedException;

  /**
   * Has jobs begun again that the system takes for handed over to a host which was killed before it
   * had them, as an administrator would; it may do nothing about them for minutes.
   */
  void redeliver() throws IOException, InterruptedException;

  /** Waits until the system serves. */
  void awaitServes() throws IOException, InterruptedException;
}

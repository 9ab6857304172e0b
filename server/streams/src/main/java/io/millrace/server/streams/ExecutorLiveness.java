package io.millrace.server.streams;

/** Which executors send heartbeats, as far as this process hears them. */
interface ExecutorLiveness {

  /** No executor is heard and none counts as silent. */
  ExecutorLiveness NOBODY =
      new ExecutorLiveness() {
        @Override
        public void cameUp(String host, String executor) {}

        @Override
        public long unheardS(String host, String executor) {
          return 0;
        }

        @Override
        public boolean beats(String host, String executor) {
          return false;
        }
      };

  /** Notes that the executor announced itself in an inbox, which counts as a heartbeat. */
  void cameUp(String host, String executor);

  /** For how many seconds this process has listened without a sign of the executor. */
  long unheardS(String host, String executor);

  /** Whether a heartbeat of the executor came just now. */
  boolean beats(String host, String executor);
}

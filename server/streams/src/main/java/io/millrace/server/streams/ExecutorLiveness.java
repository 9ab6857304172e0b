package io.millrace.server.streams;

/** What this process hears of executors, outside of the shards' inboxes. */
interface ExecutorLiveness {

  /** Nobody is heard, and nobody is missed. */
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

  /** The executor has said in an inbox that it is there, which is as good as a heartbeat. */
  void cameUp(String host, String executor);

  /** For how many seconds this process has listened without a sign of the executor. */
  long unheardS(String host, String executor);

  /** Whether a heartbeat of the executor came just now. */
  boolean beats(String host, String executor);
}

package io.millrace.server.streams.engine;

/** Which engines apart show signs of life, as far as this process hears them. */
public interface EngineLiveness {

  /** No engine is heard, and none counts as silent. */
  EngineLiveness NOBODY =
      new EngineLiveness() {
        @Override
        public long unheardS(String scheduler, long epoch) {
          return 0;
        }

        @Override
        public boolean beats(String scheduler, long epoch) {
          return false;
        }

        @Override
        public boolean expected(String scheduler) {
          return false;
        }
      };

  /** For how many seconds this process has listened without a sign of the engine. */
  long unheardS(String scheduler, long epoch);

  /** Whether a sign of life came just now. */
  boolean beats(String scheduler, long epoch);

  /**
   * Whether an engine apart of a scheduler object is waited for, also when none was there before
   * this process began. Otherwise the server's own takes its place, and one that still runs comes
   * back by itself.
   */
  boolean expected(String scheduler);
}

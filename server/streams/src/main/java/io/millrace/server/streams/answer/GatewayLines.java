package io.millrace.server.streams.answer;

/** Connections of gateways, by their partition of the topic replies. Thread-safe. */
public interface GatewayLines {
  /** Nobody is connected. */
  GatewayLines NONE =
      new GatewayLines() {
        @Override
        public boolean takes(int partition) {
          return false;
        }

        @Override
        public void tell(int partition, byte[] answers) {
          // Nobody was promised anything.
        }
      };

  /** Whether the gateway with this partition is connected, and has taken all that it was told. */
  boolean takes(int partition);

  /**
   * Tells a gateway answers; never waits, and never fails: who goes away asks again.
   *
   * @param answers each one after its length, see {@link HeldAnswers}
   */
  void tell(int partition, byte[] answers);
}

package io.millrace.connectors.bridge.ssh;

import java.security.Provider;
import java.security.Security;
import java.util.Optional;
import org.apache.sshd.common.util.security.AbstractSecurityProviderRegistrar;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.apache.sshd.common.util.security.eddsa.generic.EdDSASupport;

/** Tells the library that Java has keys of the kind ed25519, and nothing else. */
final class JdkKeys extends AbstractSecurityProviderRegistrar {

  private static final String PROVIDER = "SunEC";

  private JdkKeys() {
    super("JdkKeys");
  }

  /** To be called before anything else of the library; again it does nothing. */
  static void register() {
    SecurityUtils.registerSecurityProvider(new JdkKeys());
  }

  @Override
  public String getProviderName() {
    return PROVIDER;
  }

  @Override
  public String getDefaultSecurityEntitySupportValue(Class<?> kind) {
    return "";
  }

  @Override
  public boolean isNamedProviderUsed() {
    return false;
  }

  @Override
  public Provider getSecurityProvider() {
    return Security.getProvider(PROVIDER);
  }

  @Override
  public boolean isSupported() {
    return getSecurityProvider() != null;
  }

  @Override
  public Optional<EdDSASupport<?, ?>> getEdDSASupport() {
    return Optional.of(new JdkEd25519());
  }
}

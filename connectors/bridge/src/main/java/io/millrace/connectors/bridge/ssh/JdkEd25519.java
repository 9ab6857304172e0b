package io.millrace.connectors.bridge.ssh;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.interfaces.EdECKey;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.KeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import org.apache.sshd.common.config.keys.PrivateKeyEntryDecoder;
import org.apache.sshd.common.config.keys.PublicKeyEntryDecoder;
import org.apache.sshd.common.signature.Signature;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.apache.sshd.common.util.security.eddsa.generic.EdDSASupport;
import org.apache.sshd.common.util.security.eddsa.generic.EdDSAUtils;
import org.apache.sshd.common.util.security.eddsa.generic.GenericEd25519PublicKeyDecoder;
import org.apache.sshd.common.util.security.eddsa.generic.GenericOpenSSHEd25519PrivateKeyEntryDecoder;
import org.apache.sshd.common.util.security.eddsa.generic.GenericSignatureEd25519;

/** Keys of the kind ed25519 as Java itself has them; the library knows others' only. */
final class JdkEd25519 implements EdDSASupport<EdECPublicKey, EdECPrivateKey> {

  private static final String ALGORITHM = "Ed25519";

  @Override
  public PublicKeyEntryDecoder<EdECPublicKey, EdECPrivateKey> getEDDSAPublicKeyEntryDecoder() {
    return new GenericEd25519PublicKeyDecoder<>(EdECPublicKey.class, EdECPrivateKey.class, this);
  }

  @Override
  public PrivateKeyEntryDecoder<EdECPublicKey, EdECPrivateKey>
      getOpenSSHEDDSAPrivateKeyEntryDecoder() {
    return new GenericOpenSSHEd25519PrivateKeyEntryDecoder<>(
        EdECPublicKey.class, EdECPrivateKey.class, this);
  }

  @Override
  public Signature getEDDSASigner() {
    return new GenericSignatureEd25519(SecurityUtils.EDDSA);
  }

  @Override
  public int getEDDSAKeySize(Key key) {
    return key instanceof EdECKey ? KEY_SIZE : -1;
  }

  @Override
  public Class<EdECPublicKey> getEDDSAPublicKeyType() {
    return EdECPublicKey.class;
  }

  @Override
  public Class<EdECPrivateKey> getEDDSAPrivateKeyType() {
    return EdECPrivateKey.class;
  }

  @Override
  public boolean compareEDDSAPPublicKeys(PublicKey one, PublicKey other) {
    return one instanceof EdECPublicKey && one.equals(other);
  }

  @Override
  public boolean compareEDDSAPrivateKeys(PrivateKey one, PrivateKey other) {
    return one instanceof EdECPrivateKey && one.equals(other);
  }

  /** The public key is made of the private one's bytes, as it is of those of a new key. */
  @Override
  public EdECPublicKey recoverEDDSAPublicKey(PrivateKey key) throws GeneralSecurityException {
    byte[] seed = key instanceof EdECPrivateKey own ? own.getBytes().orElse(null) : null;
    if (seed == null) {
      throw new InvalidKeyException("no private key of the kind " + ALGORITHM);
    }
    KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
    generator.initialize(NamedParameterSpec.ED25519, new GivenBytes(seed));
    return (EdECPublicKey) generator.generateKeyPair().getPublic();
  }

  @Override
  public EdECPublicKey generateEDDSAPublicKey(byte[] seed) throws GeneralSecurityException {
    KeyFactory factory = KeyFactory.getInstance(ALGORITHM);
    return (EdECPublicKey) factory.generatePublic(EdDSAUtils.createPublicKeySpec(seed));
  }

  @Override
  public EdECPrivateKey generateEDDSAPrivateKey(byte[] seed)
      throws GeneralSecurityException, IOException {
    KeyFactory factory = KeyFactory.getInstance(ALGORITHM);
    return (EdECPrivateKey) factory.generatePrivate(EdDSAUtils.createPrivateKeySpec(seed));
  }

  @Override
  public <B extends Buffer> B putRawEDDSAPublicKey(B buffer, PublicKey key) {
    buffer.putBytes(getPublicKeyData((EdECPublicKey) key));
    return buffer;
  }

  @Override
  public <B extends Buffer> B putEDDSAKeyPair(B buffer, PublicKey own, PrivateKey secret) {
    throw new UnsupportedOperationException("private keys are not written");
  }

  @Override
  public KeySpec createPublicKeySpec(EdECPublicKey key) {
    return new X509EncodedKeySpec(key.getEncoded());
  }

  @Override
  public KeySpec createPrivateKeySpec(EdECPrivateKey key) {
    return new PKCS8EncodedKeySpec(key.getEncoded());
  }

  @Override
  public byte[] getPublicKeyData(EdECPublicKey key) {
    try {
      return EdDSAUtils.getBytes(key);
    } catch (InvalidKeyException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public byte[] getPrivateKeyData(EdECPrivateKey key) throws IOException {
    try {
      return EdDSAUtils.getBytes(key);
    } catch (InvalidKeyException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public String getKeyFactoryAlgorithm() {
    return ALGORITHM;
  }

  /** Gives the bytes that it was given. */
  private static final class GivenBytes extends SecureRandom {
    private static final long serialVersionUID = 1L;
    private final byte[] bytes;

    GivenBytes(byte[] bytes) {
      this.bytes = bytes.clone();
    }

    @Override
    public void nextBytes(byte[] into) {
      System.arraycopy(bytes, 0, into, 0, into.length);
    }
  }
}

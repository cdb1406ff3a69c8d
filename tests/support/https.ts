import { createPrivateKey } from 'node:crypto';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';

/** A certificate of no authority, for 127.0.0.1, with its key. Only tests use it. */
const KEY =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgtKa8r+5rT/9Lo8ZCEEnLzr8CEkO2iymqtDx91vZDnK6hRANCAATgM1QMRgfIuM' +
  't8IRcHigEYJ+Pt3mlcS1FaK3QHblYBkMlmAqiSgygbZ6hzEEGq/Y28l68hDGE82XeeKYETO1e5';
const CERTIFICATE =
  'MIIBjzCCATagAwIBAgIUJBuzWBWiYfy39hra9PUsspAzExYwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNTEzMT' +
  'k0NFoYDzIxMjYxMTAxMTMxOTQ0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATgM1QMRgfIuMt8IRcH' +
  'igEYJ+Pt3mlcS1FaK3QHblYBkMlmAqiSgygbZ6hzEEGq/Y28l68hDGE82XeeKYETO1e5o2QwYjAdBgNVHQ4EFgQUlL7ayI+co8zWIvdn93FMk+' +
  'mASxgwHwYDVR0jBBgwFoAUlL7ayI+co8zWIvdn93FMk+mASxgwDwYDVR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMC' +
  'A0cAMEQCIBwty4Y0ZvzTWooY46m5UrbgQMRYv8Em3rFpOMw92kS/AiBsfHF48GPQEyYSRzhCC4fvdhm5FSpXrSWkm6DYXipYFQ==';
export const SELF_SIGNED = {
  key: createPrivateKey({ key: Buffer.from(KEY, 'base64'), format: 'der', type: 'pkcs8' }).export({
    format: 'pem',
    type: 'pkcs8',
  }),
  cert: `-----BEGIN CERTIFICATE-----\n${CERTIFICATE}\n-----END CERTIFICATE-----`,
};

/** Serves https on a port and passes all requests on to `target`. */
export function startHttps(port: number, target: string): Promise<Server> {
  const server = createServer(SELF_SIGNED, (incoming, response) => {
    const { method, headers, url } = incoming;
    const forwarded = request(target + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    incoming.pipe(forwarded);
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}

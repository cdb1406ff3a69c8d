import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { createEngines } from '../engines.ts';
import { createMixer } from '../sound/mixer.ts';
import { EnginesProvider } from './use-engines.ts';
import { useMixer } from './use-mixer.ts';

function Muted() {
  return String(useMixer().state.muted);
}

test('R38: useMixer outside its provider throws an error that names the provider', () => {
  expect(() => renderToString(<Muted />)).toThrow('useMixer must be used within EnginesProvider');
});

test('R32: inside the provider, the server renders the sound muted', () => {
  const page = (
    <EnginesProvider value={createEngines(createMixer)}>
      <Muted />
    </EnginesProvider>
  );
  expect(renderToString(page)).toBe('true');
});

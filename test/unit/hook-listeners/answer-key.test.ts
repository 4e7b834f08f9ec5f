import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {answerKeyName} from '../../../hooks/ask-wire.ts';
import {openAnswerKey} from '../../../src/hook-listeners/answer-key.ts';
import {temporaryFolder} from '../../support/local-service.ts';

test('the key stays the same, and a file that a crash left empty gets one', () => {
	const folder = temporaryFolder();
	writeFileSync(join(folder, answerKeyName), '', {mode: 0o600});
	const key = openAnswerKey(folder);
	expect(key).toMatch(/^[\w-]{43}$/);
	expect(openAnswerKey(folder)).toBe(key);
});

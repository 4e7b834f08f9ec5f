import {expect, test} from 'vitest';
import {isFilePath} from '../../../../src/domain/accounts/profile.ts';

test.each([
	['/keys/acme', true],
	[' ~/keys/acme\n', true],
	['/home/Anna/.local/state/quarterdeck/service-2/key', true],
	['/q7fXw0Zb+L4tYp9/cVdR3sHn8Ke2AmJu5oTgBi6xN1M=', false],
	['qd_0123456789', false],
])('%s is the path of a key file: %s', (text, isPath) => {
	expect(isFilePath(text)).toBe(isPath);
});

import {expect, test} from 'vitest';
import {isOlderVersion} from '../../../src/domain/running-service.ts';

test.each([
	['0.9.0', '0.10.0', true],
	['0.10.0', '0.9.0', false],
	['1.2.3', '1.2.3', false],
	['0.9.9', '1.0.0', true],
])('%s is older than %s: %s', (version, other, isOlder) => {
	expect(isOlderVersion(version, other)).toBe(isOlder);
});

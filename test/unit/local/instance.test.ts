import {randomUUID} from 'node:crypto';
import {expect, test} from 'vitest';
import {registerInstance} from '../../../src/local/instance.ts';
import {temporaryFolder} from '../../support/local-service.ts';

test('an instance is alive until it is closed', () => {
	const folder = temporaryFolder();
	const [one, two] = [registerInstance(folder), registerInstance(folder)];
	expect(one.isAlive(one.id)).toBe(true);
	expect(one.isAlive(two.id)).toBe(true);
	expect(two.isAlive(one.id)).toBe(true);
	expect(one.isAlive(randomUUID())).toBe(false);
	two.close();
	expect(one.isAlive(two.id)).toBe(false);
	expect(one.isAlive(two.id)).toBe(false);
	one.close();
});

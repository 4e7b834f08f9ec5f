import {execFileSync} from 'node:child_process';
import {symlinkSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createSourceTree} from '../../../src/local/readiness/criteria.ts';
import {temporaryFolder} from '../../support/local-service.ts';

test('reads files, but nothing that a repository links to: no secrets, pipes or devices', () => {
	const [root, outside] = [temporaryFolder(), temporaryFolder()];
	writeFileSync(join(root, 'own'), 'text');
	writeFileSync(join(root, 'huge'), '');
	truncateSync(join(root, 'huge'), 1024 * 1024 + 1);
	writeFileSync(join(outside, 'secret'), 'a secret');
	execFileSync('mkfifo', [join(outside, 'pipe')]);
	symlinkSync(join(outside, 'secret'), join(root, 'link'));
	symlinkSync(join(outside, 'pipe'), join(root, 'pipe'));
	symlinkSync('/dev/zero', join(root, 'device'));
	const names = ['own', 'huge', 'link', 'pipe', 'device', 'none'];
	const tree = createSourceTree(root, names);
	expect(tree.read('link')).toBe('');
	expect(names.map(name => tree.read(name))).toEqual(['text', '', '', '', '', '']);
	expect(tree.read('../own')).toBe('');
});

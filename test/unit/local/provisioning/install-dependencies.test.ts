import {expect, test} from 'vitest';
import {planInstall} from '../../../../src/local/provisioning/install-dependencies.ts';
import {writeFiles} from '../../../support/git-repository.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

const planOf = (...files: string[]) => {
	const folder = temporaryFolder();
	writeFiles(folder, Object.fromEntries(files.map(file => [file, ''])));
	return planInstall(folder).map(({file, args}) => [file, ...args].join(' '));
};

test.each([
	[['package-lock.json'], ['npm ci --no-audit --no-fund']],
	[['pnpm-lock.yaml'], ['pnpm install --frozen-lockfile']],
	[['yarn.lock'], ['yarn install --frozen-lockfile']],
	[['yarn.lock', '.yarnrc.yml'], ['yarn install --immutable']],
	[['uv.lock', 'requirements.txt'], ['uv sync --frozen']],
	[['Cargo.lock'], ['cargo fetch --locked']],
	[['go.mod'], ['go mod download']],
	[
		['requirements.txt'],
		['python3 -m venv .venv', '.venv/bin/python -m pip install --no-input -r requirements.txt'],
	],
	[['package.json', 'README.md'], []],
])('%j is installed by %j', (files, commands) => {
	expect(planOf(...files)).toEqual(commands);
});

test('each ecosystem is installed once', () => {
	expect(planOf('package-lock.json', 'yarn.lock', 'go.mod')).toEqual([
		'npm ci --no-audit --no-fund',
		'go mod download',
	]);
});

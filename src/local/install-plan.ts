import {existsSync} from 'node:fs';
import {join} from 'node:path';

/** One dependency-install command, run in the repository's folder. */
export type InstallCommand = {readonly file: string; readonly args: readonly string[]};

type Rule = {
	/** The commands apply if any of these files exists. */
	readonly files: readonly string[];
	/** Only the first matching rule of each ecosystem is used. */
	readonly ecosystem: string;
	readonly commands: (folder: string) => readonly InstallCommand[];
};

const command = (file: string, ...args: string[]): InstallCommand => ({file, args});

const rules: readonly Rule[] = [
	{
		ecosystem: 'node',
		files: ['package-lock.json', 'npm-shrinkwrap.json'],
		commands: () => [command('npm', 'ci', '--no-audit', '--no-fund')],
	},
	{
		ecosystem: 'node',
		files: ['pnpm-lock.yaml'],
		commands: () => [command('pnpm', 'install', '--frozen-lockfile')],
	},
	{
		ecosystem: 'node',
		files: ['yarn.lock'],
		commands: folder => [
			command(
				'yarn',
				'install',
				existsSync(join(folder, '.yarnrc.yml')) ? '--immutable' : '--frozen-lockfile',
			),
		],
	},
	{
		ecosystem: 'node',
		files: ['bun.lock', 'bun.lockb'],
		commands: () => [command('bun', 'install', '--frozen-lockfile')],
	},
	{ecosystem: 'python', files: ['uv.lock'], commands: () => [command('uv', 'sync', '--frozen')]},
	{
		ecosystem: 'python',
		files: ['poetry.lock'],
		commands: () => [command('poetry', 'install', '--no-interaction')],
	},
	{ecosystem: 'python', files: ['Pipfile.lock'], commands: () => [command('pipenv', 'sync')]},
	{
		ecosystem: 'python',
		files: ['requirements.txt'],
		commands: () => [
			command('python3', '-m', 'venv', '.venv'),
			command('.venv/bin/python', '-m', 'pip', 'install', '--no-input', '-r', 'requirements.txt'),
		],
	},
	{ecosystem: 'rust', files: ['Cargo.lock'], commands: () => [command('cargo', 'fetch', '--locked')]},
	{ecosystem: 'go', files: ['go.mod'], commands: () => [command('go', 'mod', 'download')]},
	{ecosystem: 'ruby', files: ['Gemfile.lock'], commands: () => [command('bundle', 'install')]},
	{
		ecosystem: 'php',
		files: ['composer.lock'],
		commands: () => [command('composer', 'install', '--no-interaction')],
	},
];

/** Commands that install the dependencies of the repository in `folder`, chosen by its lock files. */
export function planInstall(folder: string): InstallCommand[] {
	const planned = new Set<string>();
	const commands: InstallCommand[] = [];
	for (const rule of rules) {
		if (planned.has(rule.ecosystem) || !rule.files.some(file => existsSync(join(folder, file)))) continue;
		planned.add(rule.ecosystem);
		commands.push(...rule.commands(folder));
	}
	return commands;
}

import {existsSync} from 'node:fs';
import {join} from 'node:path';

/** One dependency-install command, run in the repository's folder. */
export type InstallCommand = {readonly file: string; readonly args: readonly string[]};

/** The commands for each ecosystem, by lock file: only the first rule of an ecosystem that applies is used. */
const rules: readonly {
	readonly ecosystem: string;
	/** The rule applies if any of these files exists. */
	readonly files: readonly string[];
	readonly commands: readonly string[];
}[] = [
	{
		ecosystem: 'node',
		files: ['package-lock.json', 'npm-shrinkwrap.json'],
		commands: ['npm ci --no-audit --no-fund'],
	},
	{ecosystem: 'node', files: ['pnpm-lock.yaml'], commands: ['pnpm install --frozen-lockfile']},
	{ecosystem: 'node', files: ['yarn.lock'], commands: ['yarn install --frozen-lockfile']},
	{ecosystem: 'node', files: ['bun.lock', 'bun.lockb'], commands: ['bun install --frozen-lockfile']},
	{ecosystem: 'python', files: ['uv.lock'], commands: ['uv sync --frozen']},
	{ecosystem: 'python', files: ['poetry.lock'], commands: ['poetry install --no-interaction']},
	{ecosystem: 'python', files: ['Pipfile.lock'], commands: ['pipenv sync']},
	{
		ecosystem: 'python',
		files: ['requirements.txt'],
		commands: ['python3 -m venv .venv', '.venv/bin/python -m pip install --no-input -r requirements.txt'],
	},
	{ecosystem: 'rust', files: ['Cargo.lock'], commands: ['cargo fetch --locked']},
	{ecosystem: 'go', files: ['go.mod'], commands: ['go mod download']},
	{ecosystem: 'ruby', files: ['Gemfile.lock'], commands: ['bundle install']},
	{ecosystem: 'php', files: ['composer.lock'], commands: ['composer install --no-interaction']},
];

/** Commands that install the dependencies of the repository in `folder`, chosen by its lock files. */
export function planInstall(folder: string): InstallCommand[] {
	const has = (file: string) => existsSync(join(folder, file));
	const matching = rules.filter(({files}) => files.some(has));
	const used = matching.filter(
		(rule, index) => matching.findIndex(({ecosystem}) => ecosystem === rule.ecosystem) === index,
	);
	return used.flatMap(({commands}) =>
		commands.map(command => {
			const [file = '', ...args] = command.split(' ');
			// Yarn 2 and later has another name for it.
			const isNewYarn = file === 'yarn' && has('.yarnrc.yml');
			return {file, args: isNewYarn ? ['install', '--immutable'] : args};
		}),
	);
}
